#include "sim/core/time.h"
