#include "formats/charset/index.h"

#include <span>
#include <string>

#include "formats/charset/icu.h"

namespace trawl {
namespace {

// The bytes of a pointer, for the converter that knows the character.
using BytesOf = std::string (*)(size_t pointer);

// Characters from `pointer` on that ICU maps differently or not at all: `first`, the next one…
struct Run {
  uint16_t pointer;
  uint16_t first;
  uint16_t count;
};

constexpr Run kBig5Runs[] = {
    {1008, 0x9F97, 1},  {1016, 0x9F96, 1},  {1099, 0x31C0, 5},  {1105, 0x31C5, 1},  {1108, 0x31C6, 2},
    {1112, 0x31C8, 1},  {1114, 0x31C9, 4},  {1119, 0x31CD, 2},  {1170, 0x23DA, 2},  {1730, 0x9FA6, 1},
    {1772, 0x9FA7, 1},  {1779, 0x9FA8, 1},  {1812, 0x9FA9, 1},  {1814, 0x9FAA, 1},  {1816, 0x9FAB, 1},
    {1821, 0x9FAC, 1},  {1844, 0x9FAD, 2},  {1847, 0x9FAF, 1},  {1866, 0x9FB2, 1},  {1892, 0x9FB3, 1},
    {2082, 0x7BB8, 1},  {2088, 0x7C06, 1},  {2103, 0x7CCE, 1},  {2114, 0x7DD2, 1},  {2123, 0x7E1D, 1},
    {2148, 0x8005, 1},  {2151, 0x8028, 1},  {2221, 0x83C1, 1},  {2239, 0x84A8, 1},  {2244, 0x840F, 1},
    {2303, 0x89A6, 1},  {2304, 0x89A9, 1},  {2354, 0x8D77, 1},  {2400, 0x90FD, 1},  {2413, 0x92B9, 1},
    {2477, 0x975C, 1},  {2498, 0x97FF, 1},  {2605, 0x9F16, 1},  {2673, 0x8503, 1},  {2746, 0x5159, 1},
    {2747, 0x515B, 1},  {2748, 0x515D, 2},  {2771, 0x936E, 1},  {2780, 0x7479, 1},  {2990, 0x6D67, 1},
    {3087, 0x799B, 1},  {3259, 0x9097, 1},  {3301, 0x975D, 1},  {3436, 0x701E, 1},  {3451, 0x5B28, 1},
    {4136, 0x7201, 1},  {4138, 0x77D7, 1},  {4141, 0x7E87, 1},  {4182, 0x99D6, 1},  {4206, 0x91D4, 1},
    {4220, 0x60DE, 1},  {4230, 0x6FB6, 1},  {4241, 0x8F36, 1},  {4258, 0x4FBB, 1},  {4273, 0x71DF, 1},
    {4279, 0x9104, 1},  {4282, 0x9DF0, 1},  {4294, 0x83CF, 1},  {4329, 0x5C10, 1},  {4330, 0x79E3, 1},
    {4349, 0x5A67, 1},  {4419, 0x8F0B, 1},  {4422, 0x7B51, 1},  {4494, 0x62D0, 1},  {4624, 0x6062, 1},
    {4694, 0x75F9, 1},  {4708, 0x6C4A, 1},  {4742, 0x9B2E, 1},  {4748, 0x9F17, 1},  {4815, 0x50ED, 1},
    {4828, 0x5F0C, 1},  {4902, 0x880F, 1},  {4922, 0x62CE, 1},  {4982, 0x7468, 1},  {4992, 0x7162, 1},
    {4997, 0x7250, 1},  {5432, 0x2400, 32}, {5464, 0x2421, 1},  {10942, 0x5EF4, 1}, {10946, 0x65E0, 1},
    {10948, 0x7676, 1}, {10950, 0x96B6, 1}, {10957, 0x3003, 1}, {10958, 0x4EDD, 1}, {11204, 0x31CF, 1},
    {11210, 0x9FB0, 1}, {11212, 0x9FB1, 1}, {19028, 0x5029, 1}, {19035, 0x507D, 1}, {19088, 0x5305, 1},
    {19096, 0x5344, 1}, {19112, 0x537F, 1}, {19162, 0x5605, 1}, {19240, 0x5A77, 1}, {19299, 0x5E75, 1},
    {19305, 0x5ED0, 1}, {19326, 0x5F58, 1}, {19355, 0x60A4, 1}, {19398, 0x6490, 1}, {19439, 0x6674, 1},
    {19454, 0x675E, 1}, {19553, 0x6C9C, 1}, {19554, 0x6E1D, 1}, {19557, 0x6E2F, 1}, {19611, 0x716E, 1},
    {19643, 0x732A, 1}, {19672, 0x745C, 1}, {19697, 0x74E9, 1}, {19748, 0x7809, 1}};

// The characters that the edition of 2022 moved out of private use; at 6555, what browsers read there.
constexpr Run kGb18030Runs[] = {{6555, 0x3000, 1},  {7182, 0xFE10, 1},  {7183, 0xFE12, 1},  {7184, 0xFE11, 1},
                                {7185, 0xFE13, 4},  {7201, 0xFE17, 2},  {7208, 0xFE19, 1},  {23775, 0x9FB4, 1},
                                {23783, 0x9FB5, 1}, {23788, 0x9FB6, 2}, {23795, 0x9FB8, 1}, {23812, 0x9FB9, 1},
                                {23829, 0x9FBA, 1}, {23845, 0x9FBB, 1}};

bool IsPrivateUse(uint32_t character) { return character >= 0xE000 && character <= 0xF8FF; }

std::string TwoBytes(size_t lead, size_t trail) { return {static_cast<char>(lead), static_cast<char>(trail)}; }

enum class PrivateUse { kKept, kLeftOut };

std::vector<uint32_t> ReadIndex(const char* converter, size_t size, BytesOf bytes_of, PrivateUse private_use,
                                std::span<const Run> runs) {
  const IcuCharacters icu(converter);
  std::vector<uint32_t> characters(size);
  for (size_t pointer = 0; pointer < size; ++pointer) {
    const uint32_t character = icu.Read(bytes_of(pointer));
    if (private_use == PrivateUse::kKept || !IsPrivateUse(character)) characters[pointer] = character;
  }
  for (const Run& run : runs) {
    for (size_t i = 0; i < run.count; ++i) characters[run.pointer + i] = static_cast<uint32_t>(run.first + i);
  }
  return characters;
}

std::string Big5Bytes(size_t pointer) {
  const size_t trail = pointer % 157;
  return TwoBytes(0x81 + pointer / 157, trail + (trail < 0x3F ? 0x40 : 0x62));
}

std::string EucKrBytes(size_t pointer) { return TwoBytes(0x81 + pointer / 190, 0x41 + pointer % 190); }

std::string Gb18030Bytes(size_t pointer) {
  const size_t trail = pointer % 190;
  return TwoBytes(0x81 + pointer / 190, trail + (trail < 0x3F ? 0x40 : 0x41));
}

std::string ShiftJisBytes(size_t pointer) {
  const size_t lead = pointer / 188, trail = pointer % 188;
  return TwoBytes(lead + (lead < 0x1F ? 0x81 : 0xC1), trail + (trail < 0x3F ? 0x40 : 0x41));
}

std::string ThirdPlaneBytes(size_t pointer) { return '\x8F' + TwoBytes(0xA1 + pointer / 94, 0xA1 + pointer % 94); }

}  // namespace

const CharsetIndex& CharsetIndex::Big5() {
  static const CharsetIndex index(
      ReadIndex("ibm-1375_P100-2008", 126 * 157, Big5Bytes, PrivateUse::kLeftOut, kBig5Runs));
  return index;
}

const CharsetIndex& CharsetIndex::EucKr() {
  static const CharsetIndex index(ReadIndex("windows-949-2000", 126 * 190, EucKrBytes, PrivateUse::kLeftOut, {}));
  return index;
}

const CharsetIndex& CharsetIndex::Gb18030() {
  static const CharsetIndex index(ReadIndex("gb18030", 126 * 190, Gb18030Bytes, PrivateUse::kKept, kGb18030Runs));
  return index;
}

const CharsetIndex& CharsetIndex::Jis0208() {
  // The only table of ICU that follows Microsoft, as the standard does.
  static const CharsetIndex index(ReadIndex("ibm-943_P15A-2003", 60 * 188, ShiftJisBytes, PrivateUse::kKept, {}));
  return index;
}

const CharsetIndex& CharsetIndex::Jis0212() {
  static const CharsetIndex index([] {
    std::vector<uint32_t> characters = ReadIndex("euc-jp-2007", 94 * 94, ThirdPlaneBytes, PrivateUse::kLeftOut, {});
    // In this row ICU has extensions of IBM.
    constexpr size_t kExtensions = 0xF3 - 0xA1;
    for (size_t cell = 0; cell < 94; ++cell) characters[kExtensions * 94 + cell] = 0;
    return characters;
  }());
  return index;
}

}  // namespace trawl
