// Carries the precompiled catch.h that every test executable shares.
#include "tests/catch.h"
