#include "probes/doctor.h"
