// The headers of the test libraries are precompiled for this target and used by all test programs.
