#include "probes/client/probe_client.h"
