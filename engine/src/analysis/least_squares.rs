/// The least-squares line from values to exact scores, in discs.
#[derive(Clone, Copy, Debug)]
pub struct LeastSquares {
    /// Discs of the score per disc of the value.
    pub slope: f64,
    /// Score that the line gives to a value of zero.
    pub intercept: f64,
    /// Mean of score less value.
    pub mean_difference: f64,
    /// Root mean square of score less value.
    pub rmse_of_difference: f64,
    /// Residual error: root mean square of score less the line.
    pub rmse: f64,
}

impl LeastSquares {
    /// Fits pairs of a value and its exact score.
    pub fn fit(pairs: &[(f64, f64)]) -> LeastSquares {
        let mean =
            |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / pairs.len().max(1) as f64;
        let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
        let slope = mean(&|p| (p.0 - mx) * (p.1 - my)) / mean(&|p| (p.0 - mx).powi(2)).max(1e-9);
        let intercept = my - slope * mx;
        LeastSquares {
            slope,
            intercept,
            mean_difference: my - mx,
            rmse_of_difference: mean(&|p| (p.1 - p.0).powi(2)).sqrt(),
            rmse: mean(&|p| (p.1 - intercept - slope * p.0).powi(2)).sqrt(),
        }
    }
}
