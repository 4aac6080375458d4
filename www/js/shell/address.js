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
  const read = async () => {
    if (location.hash.length > 1) (await app.taking()).takeLink(app, location.hash.slice(1));
  };
  window.addEventListener('hashchange', () => {
    if (location.hash.slice(1) !== written) read();
  });
  await read();
  let timer = 0;
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
