/* Known answers: tests/kat_vectors of Random123 (D. E. Shaw Research), "philox4x32 10". */
#include "design/philox.h"

#include "check.h"

struct answer {
    uint32_t counter[4], key[2], word[4];
};

static const struct answer answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void published_answers_are_met(void)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct ml_philox out = ml_philox(answers[i].counter, answers[i].key);
        for (int j = 0; j < 4; j++)
            CHECK(out.word[j] == answers[i].word[j]);
    }
}

int main(void)
{
    published_answers_are_met();
    return check_done();
}
