// Listens for pasted texts, and dropped and chosen files.

/** @param {EventTarget | null} node */
const isField = (node) => node instanceof Element && node.closest('input, textarea, [contenteditable]');

/** @param {HTMLInputElement} picker of files @param {(received: Received) => void} receive */
export function listenForGames(picker, receive) {
  /** @param {DataTransfer | null} data @returns {Received} */
  const unpack = (data) => ({ text: data?.getData('text/plain') ?? '', files: [...(data?.files ?? [])] });
  document.addEventListener('paste', (event) => {
    if (isField(event.target)) return;
    const received = unpack(event.clipboardData);
    if (received.files.length === 0 && received.text === '') return;
    event.preventDefault();
    receive(received);
  });
  // The browser reports entering an element before leaving the previous one.
  let depth = 0;
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    document.body.classList.toggle('drop', depth > 0);
  };
  document.addEventListener('dragenter', () => mark(1));
  document.addEventListener('dragleave', () => mark(-1));
  // Text dropped on a field belongs to the field.
  const isTyped = (event) => isField(event.target) && !event.dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (event) => isTyped(event) || event.preventDefault());
  document.addEventListener('drop', (event) => {
    mark(-depth);
    if (isTyped(event)) return;
    event.preventDefault();
    receive(unpack(event.dataTransfer));
  });
  picker.addEventListener('change', () => {
    const files = [...(picker.files ?? [])];
    picker.value = '';
    receive({ text: '', files });
  });
}
