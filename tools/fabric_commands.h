// The commands of `weft fabric`: one file and one row of the table in fabric_commands.cc each.
#pragma once

#include <string>
#include <vector>

#include "tools/command.h"

namespace weft {

int fabric_show(const std::vector<std::string>& arguments);
int fabric_validate(const std::vector<std::string>& arguments);
int fabric_compare(const std::vector<std::string>& arguments);
int fabric_load(const std::vector<std::string>& arguments);
int fabric_remove(const std::vector<std::string>& arguments);
int fabric_convert(const std::vector<std::string>& arguments);

}  // namespace weft
