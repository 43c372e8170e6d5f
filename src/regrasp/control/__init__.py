"""Control: rewards, sampling MPC, inverse kinematics, paths, the guard, and skills."""
