// Entry point of the page. If a module of the start cannot be loaded, or the start fails, a notice offers to reload the page.

import('./start.js')
  .then(({ start }) => start())
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
