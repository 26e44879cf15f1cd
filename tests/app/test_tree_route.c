/* tests/app/test_tree_route.c - the comparison of trees with A*, as `throng reproduce biocrowds` makes it. */
#include <math.h>

#include "experiments/biocrowds/route.c" /* the program is no library */
#include "support/unit.h"

void th_lab_claim(th_lab *lab, const th_claim *claim) { lab->claim[lab->count++] = *claim; }

/* shows: BIO-69 */
static void trees_against_a_star(void **state) {
  (void)state;
  th_lab lab = {.id = "T1"};
  th_error error = {0};
  assert_int_equal(th_bio_route(&lab, &error), TH_OK);
  assert_int_equal(lab.count, 6);
  for (uint32_t i = 0; i < lab.count; i++) {
    const th_claim *claim = &lab.claim[i];
    print_message("%s: %g %s\n", claim->text, claim->value, claim->unit);
    assert_true(claim->value >= claim->min && claim->value <= claim->max);
  }
  assert_true(lab.claim[2].value < lab.claim[3].value); /* routes differ */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(trees_against_a_star)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
