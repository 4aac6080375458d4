// Waits for the analysis of a whole game.

/** Waits until the report has started and ended its review.
 *  @param {import('playwright-core').Page} page */
export async function reviewEnds(page) {
  await page.waitForFunction(
    () => {
      const review = outflank.panels.made.get('report')?.review;
      return Boolean(review && review.total > 0 && !review.running);
    },
    null,
    { timeout: 240_000 },
  );
}
