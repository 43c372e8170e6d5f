"""The benchmark: suites as data, executors for episodes, the store of results, and reports."""
