-- Runs program.txt and writes what came of it as one line of JSON. All that is used afterwards is taken before.
local format, gsub, byte, concat, sort = string.format, string.gsub, string.byte, table.concat, table.sort
local type, pairs, tostring, mathtype, popen = type, pairs, tostring, math.type, io.popen
local file = io.open("seal")
local seal = file:read("a")
file:close()
os.remove("seal")

local function quote(text)
  return '"' .. gsub(text, '[%c"\\]', function(c) return format("\\u%04x", byte(c)) end) .. '"'
end

local function encode(value, depth)
  if depth > 100 then error("nested too deep") end
  local kind = type(value)
  if kind == "string" then return quote(value) end
  if kind == "nil" then return "null" end
  if kind == "boolean" or mathtype(value) == "integer" then return tostring(value) end
  if kind == "number" then return '{"float":"' .. format("%.17g", value) .. '"}' end
  if kind ~= "table" then error("a " .. kind .. " has no literal") end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  if #keys == #value then
    for i = 1, #value do parts[i] = encode(value[i], depth + 1) end
    return "[" .. concat(parts, ",") .. "]"
  end
  sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = "[" .. encode(key, 0) .. "," .. encode(value[key], depth + 1) .. "]" end
  return '{"table":[' .. concat(parts, ",") .. "]}"
end

local function finish(line)
  local result = popen('cat >&"$CODEREASON_RESULT"', "w")
  result:write(seal, line, "\n")
  result:close()
end

local note = io.open("trace") and dofile("witness.lua") or function() return "" end
local program, complaint = loadfile("program.txt")
if not program then return finish('{"rejected":' .. quote(complaint) .. "}") end
local fine, value = pcall(function()
  local call = program()
  return '{"value":' .. encode(call and call(), 0)
end)
local trace = note()
finish((fine and value or '{"error":"error","message":' .. quote(tostring(value))) .. trace .. "}")
