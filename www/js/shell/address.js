// The address of the page bears the study, so that a link, a reload or a bookmark comes back to it.

const DELAY_MS = 400;

/** The address of the study as it is. @param {App} app */
export async function linkOf(app) {
  const { writeLink } = await import('../model/link.js');
  const url = new URL(location.href);
  url.hash = writeLink(app.study.tree, app.study.node);
  return url;
}

/** Opens the study that the address bears, and keeps the address up to date from then on. @param {App} app */
export async function joinAddress(app) {
  let written = '';
  let timer = 0;
  /** The address as it was then: until the reader is here the page may have written another. @param {string} hash */
  const read = async (hash) => {
    if (hash.length > 1) (await app.taking()).takeLink(app, hash.slice(1));
  };
  window.addEventListener('hashchange', ({ newURL }) => {
    const { hash } = new URL(newURL);
    if (hash.slice(1) === written) return;
    clearTimeout(timer);
    read(hash);
  });
  await read(location.hash);
  app.study.changed.listen(() => {
    clearTimeout(timer);
    timer = window.setTimeout(async () => {
      const url = await linkOf(app);
      written = url.hash.slice(1);
      if (url.href !== location.href)
        history.replaceState(null, '', written ? url : location.pathname + location.search);
    }, DELAY_MS);
  });
}
