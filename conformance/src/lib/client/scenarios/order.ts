import { expectNone, warning } from '../../report.ts';
import { appliedNumbers, orderProblems } from '../outcome.ts';
import { callNames, inOrder, type Scenario } from '../scenario.ts';

const CHUNKS = 6;
const ALL = Array.from({ length: CHUNKS }, (_, seq) => seq);

/** Reversed, rotated and swapped, then a spread of the rest: 24 of the 720. */
function permutations(): number[][] {
  const rotations = ALL.slice(1).map((by) => [...ALL.slice(by), ...ALL.slice(0, by)]);
  const swaps = ALL.slice(1).map((at) => ALL.map((seq) => (seq === at ? at - 1 : seq === at - 1 ? at : seq)));
  const spread = Array.from({ length: 13 }, (_, index) => nth(index * 53 + 7));
  return [[...ALL].reverse(), ...rotations, ...swaps, ...spread];
}

/** The permutation with this number, in lexicographic order. */
function nth(number: number): number[] {
  const left = [...ALL];
  const order: number[] = [];
  for (let rest = number, size = 720 / CHUNKS; left.length > 0; size /= Math.max(1, left.length)) {
    const [seq] = left.splice(Math.floor(rest / size), 1);
    order.push(seq!);
    rest %= size;
  }
  return order;
}

const orders = permutations();
const PER_STEP = 8;
const steps = Array.from({ length: orders.length / PER_STEP }, (_, step) =>
  Object.fromEntries(
    orders
      .slice(step * PER_STEP, (step + 1) * PER_STEP)
      .map((order) => [`order-${order.join('')}`, inOrder(order)]),
  ),
);
const names = callNames(steps);

/** S4, S5: chunks in many orders, all of them before the result. */
export const order: Scenario = {
  name: 'order',
  steps,
  checks: ['s4-seq-order', 's5-out-of-order-buffered'],
  needsChunks: true,
  judge(outcome) {
    const unfinished = names.flatMap((name) => outcome.problemsWith(name));
    const lossy = names.filter((name) => appliedNumbers(outcome, name).length < CHUNKS);
    return [
      [
        's4-seq-order',
        expectNone(
          [...names.flatMap((name) => orderProblems(outcome, name)), ...unfinished],
          `${names.length} orders`,
        ),
      ],
      [
        's5-out-of-order-buffered',
        expectNone(
          lossy.map((name) => `${name} applied ${appliedNumbers(outcome, name).length} of ${CHUNKS} chunks`),
          'none was lost',
          warning,
        ),
      ],
    ];
  },
};
