# Reads every include of the checkout at ROOT and fails with one line a finding when one
#   - is not rooted at the checkout,
#   - points up or across the floors (README: tools -> scenarios, calibrate -> cluster -> workload -> network ->
#     fabric -> routing -> topology -> sim),
#   - takes a heavy dependency by another door than its own.
# Run: cmake -DROOT=<checkout> -P tests/layers.cmake

# Height and files of each floor; the files directly in models/ are the network floor.
set(floors "0 sim/" "1 models/topology/" "2 models/routing/" "3 models/fabric/" "4 models/[^/]+$" "5 models/workload/"
           "6 models/cluster/" "7 scenarios/" "7 calibrate/" "8 tools/")

# Each heavy dependency: what its includes look like, and which files may have one; `one` = a single file of those.
set(doors yaml graph options zlib eigen verbs sqlite mpi)
set(include_yaml "^yaml-cpp/")
set(files_yaml "^sim/[^/]*\\.cc$")
set(one_yaml TRUE)
set(include_graph "^boost/(graph|property_map|pending)/")
set(files_graph "^models/(topology|routing)/")
set(include_options "^boost/program_options")
set(files_options "^tools/")
set(include_zlib "^zlib\\.h$")
set(files_zlib "^sim/text_file\\.cc$")
set(include_eigen "^Eigen/")
set(files_eigen "^calibrate/[^/]*\\.cc$")
set(include_verbs "^infiniband/")
set(files_verbs "^calibrate/[^/]*\\.cc$")
set(one_verbs TRUE)
set(include_sqlite "^sqlite3\\.h$")
set(files_sqlite "\\.cc$")
set(one_sqlite TRUE)
set(include_mpi "^mpi\\.h$")
set(files_mpi "\\.cc$")
set(one_mpi TRUE)

# The row of `floors` that `file` stands on, or an empty text.
function(floor_of file result)
  foreach(floor ${floors})
    string(SUBSTRING "${floor}" 2 -1 files)
    if(file MATCHES "^${files}")
      set(${result} "${floor}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

set(findings 0)
function(finding text)
  message("${text}")
  math(EXPR findings "${findings} + 1")
  set(findings ${findings} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/sim/*.h ${ROOT}/sim/*.cc ${ROOT}/models/*.h ${ROOT}/models/*.cc
     ${ROOT}/scenarios/*.h ${ROOT}/scenarios/*.cc ${ROOT}/calibrate/*.h ${ROOT}/calibrate/*.cc
     ${ROOT}/tools/*.h ${ROOT}/tools/*.cc)
if(NOT sources)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()

foreach(file ${sources})
  floor_of(${file} floor)
  if(floor STREQUAL "")
    finding("${file}: stands on no floor")
    continue()
  endif()
  string(SUBSTRING "${floor}" 0 1 floor_height)
  file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line ${lines})
    string(REGEX REPLACE "^[^<\"]*([<\"])([^>\"]*).*$" "\\1" quote "${line}")
    string(REGEX REPLACE "^[^<\"]*([<\"])([^>\"]*).*$" "\\2" header "${line}")

    if(quote STREQUAL "\"")
      floor_of(${header} below)
      string(SUBSTRING "${below}x" 0 1 below_height)
      if(NOT EXISTS ${ROOT}/${header})
        finding("${file}: \"${header}\" is not a file of the checkout (includes are rooted at its top)")
      elseif(below STREQUAL "")
        finding("${file}: \"${header}\" stands on no floor")
      elseif(NOT below STREQUAL floor AND NOT below_height LESS floor_height)
        finding("${file}: \"${header}\" does not point down")
      elseif(below MATCHES "models/fabric/" AND floor MATCHES "models/(workload|cluster)/")
        finding("${file}: \"${header}\": workloads see models/network.h, never the fabric")
      endif()
      continue()
    endif()

    foreach(door ${doors})
      if(header MATCHES "${include_${door}}")
        if(NOT file MATCHES "${files_${door}}")
          finding("${file}: <${header}> has its door elsewhere: ${files_${door}}")
        elseif(one_${door} AND DEFINED seen_${door} AND NOT seen_${door} STREQUAL file)
          finding("${file}: <${header}> already has its one door: ${seen_${door}}")
        else()
          set(seen_${door} ${file})
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()

if(findings)
  message(FATAL_ERROR "${findings} includes break the floors")
endif()
