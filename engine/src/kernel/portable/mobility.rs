//! Mobility in plain integer code.

use crate::kernel::rays::INNER;

#[inline(always)]
pub(super) fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    let reached = follow(player, inner, 1)
        | follow(player, opponent, 8)
        | follow(player, inner, 7)
        | follow(player, inner, 9);
    reached & !(player | opponent)
}

/// Returns the squares behind the runs of `through` that start next to `from`, both ways along `step`.
#[inline(always)]
fn follow(from: u64, through: u64, step: u32) -> u64 {
    let mut up = through & from << step;
    let mut down = through & from >> step;
    up |= through & up << step;
    down |= through & down >> step;
    let through_up = through & through << step;
    let through_down = through & through >> step;
    let step2 = 2 * step;
    up |= through_up & up << step2;
    down |= through_down & down >> step2;
    up |= through_up & up << step2;
    down |= through_down & down >> step2;
    up << step | down >> step
}
