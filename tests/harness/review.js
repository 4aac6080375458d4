// When the analysis of a whole game is over.

/** Waits until the report has begun and ended its analysis: before the first one nothing runs either.
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
