// The table of `weft fabric`'s commands.
#include "tools/fabric_commands.h"

#include <string>

#include "tools/fabric_input.h"

namespace weft {

std::span<const Command> fabric_commands() {
  static const std::string kCommon(kFabricHelp);
  static const std::string kJson = "  --json            print one JSON object, and nothing else\n";
  static const std::string kPlain = kCommon + kJson;
  static const std::string kCompare = kCommon + "  --with-lft FILE   the other tables: from a file ...\n" +
                                      "  --with-engine E   ... or by an engine, said as for --engine\n" +
                                      kJson;
  static const std::string kLoad =
      kCommon +
      "  --pattern P       all_to_all (if left out), permutation, bisection, shift=K, FILE.csv, or as in\n"
      "                    `traffic:`, '{pattern: incast, to: h3}'; shifts: every shift from 1 to n - 1\n" +
      "  --samples N       draws of permutation or bisection, 100 if left out, each with another seed\n" +
      "  --seed N          of the first draw, 1 if left out; the next one's is one more\n" + kJson;
  static const std::string kRemove =
      kCommon + "  --cable PORT      a cable to take out, by one of its ends: leaf0[9]\n" +
      "  --switch NAME     a switch to take out; both may be given several times\n" +
      "                    Routes are made anew for what is left; tables of a file (--lft) stay as they "
      "are.\n" +
      kJson;
  static const std::string kConvert =
      kCommon +
      "  --to FORMAT       convert to this (`weft list formats`), ibnetdiscover if none is named\n" +
      "  --out FILE        into FILE instead of onto the screen\n";
  static const Command kCommands[] = {
      {"show", "FABRIC [--set PATH=VALUE]... [--json]", "what is cabled", kPlain, fabric_show},
      {"validate", "FABRIC [--set PATH=VALUE]... [--lft FILE | --engine ENGINE] [--json]",
       "prove the routes: everybody reached, links loaded, credit loops", kPlain, fabric_validate},
      {"compare",
       "FABRIC [--lft FILE | --engine ENGINE] (--with-lft FILE | --with-engine ENGINE) [--set PATH=VALUE]... "
       "[--json]",
       "two ways to route one fabric", kCompare, fabric_compare},
      {"load",
       "FABRIC [--pattern PATTERN] [--samples N] [--seed N] [--lft FILE | --engine ENGINE] [--set "
       "PATH=VALUE]... "
       "[--json]",
       "how a traffic pattern loads the links", kLoad, fabric_load},
      {"remove",
       "FABRIC (--cable PORT | --switch NAME)... [--lft FILE | --engine ENGINE] [--set PATH=VALUE]... "
       "[--json]",
       "what changes without a cable or a switch", kRemove, fabric_remove},
      {"convert", "FABRIC [--to FORMAT] [--out FILE] [--lft FILE | --engine ENGINE] [--set PATH=VALUE]...",
       "write it in the form of other programs", kConvert, fabric_convert},
  };
  return kCommands;
}

}  // namespace weft
