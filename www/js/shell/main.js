// Entry point of the page. If a module of the start cannot be loaded, or the start fails, a notice offers to reload the page.

/** What is pasted before the page can open it. @type {Received | null} */
let pasted = null;
const keep = (/** @type {ClipboardEvent} */ event) => {
  const { clipboardData: data } = event;
  pasted = { text: data?.getData('text/plain') ?? '', files: [...(data?.files ?? [])] };
  event.preventDefault();
};
addEventListener('paste', keep);
/** From this call on the page itself listens. Returns what was pasted until then. */
const takePasted = () => {
  removeEventListener('paste', keep);
  return pasted;
};

import('./start.js')
  .then(({ start }) => start(takePasted))
  .catch((error) => {
    // Neither other modules nor translations may be available.
    const message = document.createElement('span');
    message.textContent = `Outflank could not start: ${error.message}`;
    const reload = document.createElement('button');
    reload.textContent = 'Reload';
    reload.onclick = () => location.reload();
    const notice = document.createElement('div');
    notice.className = 'notice fault';
    notice.append(message, reload);
    document.getElementById('notices')?.append(notice);
    throw error;
  });
