"""Control: from a reward to motion. Rewards, sampling MPC, the guard, and skills made of them."""
