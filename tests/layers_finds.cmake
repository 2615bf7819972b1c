# layers.cmake is itself tested: a small checkout with one breach of each kind, and one without any.
# Run: cmake -DSCRATCH=<folder> -P tests/layers_finds.cmake

function(check root expected_status expected_texts)
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${root} -P ${CMAKE_CURRENT_LIST_DIR}/layers.cmake
                  RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
  if(expected_status EQUAL 0 AND NOT status EQUAL 0 OR NOT expected_status EQUAL 0 AND status EQUAL 0)
    message(SEND_ERROR "${root}: status ${status}\n${output}")
  endif()
  foreach(text ${expected_texts})
    string(FIND "${output}" "${text}" at)
    if(at EQUAL -1)
      message(SEND_ERROR "${root}: not found: ${text}\n${output}")
    endif()
  endforeach()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(good ${SCRATCH}/good)
file(WRITE ${good}/sim/units.h "#pragma once\n#include <vector>\n")
file(WRITE ${good}/sim/config.cc "#include <yaml-cpp/yaml.h>\n#include \"sim/units.h\"\n")
file(WRITE ${good}/models/fabric/hca.h "#pragma once\n#include \"sim/units.h\"\n")
file(WRITE ${good}/models/network.h "#pragma once\n#include \"models/fabric/hca.h\"\n")
file(WRITE ${good}/models/workload/pattern.cc "#include \"models/network.h\"\n")
file(WRITE ${good}/scenarios/loader.h "#pragma once\n#include \"sim/units.h\"\n")
file(WRITE ${good}/tools/main.cc "#include <boost/program_options.hpp>\n#include \"scenarios/loader.h\"\n")
check(${good} 0 "")

set(bad ${SCRATCH}/bad)
file(COPY ${good}/ DESTINATION ${bad})
file(WRITE ${bad}/sim/up.cc "#include \"models/network.h\"\n")
file(WRITE ${bad}/sim/unrooted.cc "#include \"units.h\"\n")
file(WRITE ${bad}/sim/unzip.cc "#include <zlib.h>\n")
file(WRITE ${bad}/sim/second.cc "#  include <yaml-cpp/node/node.h>\n")
file(WRITE ${bad}/models/workload/inside.cc "#include \"models/fabric/hca.h\"\n")
file(WRITE ${bad}/models/stray/stray.cc "#include <vector>\n")
file(WRITE ${bad}/calibrate/across.cc "#include \"scenarios/loader.h\"\n")
file(WRITE ${bad}/scenarios/options.cc "#include <boost/program_options/variables_map.hpp>\n")
check(${bad} 1 "sim/up.cc: \"models/network.h\" does not point down;\
sim/unrooted.cc: \"units.h\" is not a file;sim/unzip.cc: <zlib.h> has its door elsewhere;\
sim/second.cc: <yaml-cpp/node/node.h> already has its one door: sim/config.cc;\
models/workload/inside.cc: \"models/fabric/hca.h\": workloads see;models/stray/stray.cc: stands on no floor;\
calibrate/across.cc: \"scenarios/loader.h\" does not point down;\
scenarios/options.cc: <boost/program_options/variables_map.hpp> has its door elsewhere;8 includes break")
