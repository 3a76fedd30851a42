import { expect, it } from 'vitest';
import type { ApduView, FrameView, SaleView, TransactionView } from '../api/types.js';
import {
  filtered,
  MAX_SHOWN_ROWS,
  pathTo,
  pollCount,
  type RowFilter,
  saleTree,
  type TerminalRecord,
  type TreeNode,
  visibleRows,
} from './sale-tree.js';

const frame = (number: number, more: Partial<FrameView> = {}): FrameView => {
  const direction = number % 2 === 1 ? 'in' : 'out';
  return {
    ...{ number, at: '', direction, kind: 'message', text: `F${number}`, length: 1, hex: '06' },
    ...more,
  };
};
const SALE: SaleView = {
  ...{ id: 'S1', number: 1, at: '', cardholder: [], amount: '12.34', currency: 'EUR' },
  result: { cryptograms: [], cvm: [], issuer: [] },
};
const apdu = (number: number, of: number): ApduView => {
  const about = {
    at: '',
    card: 1,
    cardName: 'visa',
    command: '00A4',
    response: '',
    sw: '9000',
    meaning: 'OK',
  };
  return { ...about, number, name: `A${number}`, sale: 1, frame: of };
};
const decision = (topic: string, of: number, after?: number) => {
  const place = { sale: 1, frame: of, ...(after !== undefined && { apdu: after }) };
  return { ...place, at: '', topic, what: topic, reason: `because of ${topic}` };
};
const RECORD: TerminalRecord = {
  sales: [SALE],
  frames: [
    ...[1, 2, 3, 4].map((number) => frame(number, { poll: true })),
    frame(5),
    ...[7, 8, 9, 10].map((number) => frame(number, { sale: 1 })),
    ...[11, 12].map((number) => frame(number, { sale: 1, poll: true })),
    frame(13, { poll: true }),
  ],
  apdus: [apdu(1, 7), apdu(2, 9)],
  transactions: [
    {
      number: 1,
      decisions: [decision('action', 9), decision('cryptogram', 9, 2)],
    } as unknown as TransactionView,
  ],
};
const ALL: RowFilter = { text: '', from: 'all', tag: '', controls: true };

/** A tree as its keys. */
const keys = (nodes: readonly TreeNode[]): unknown =>
  nodes.map((node) => (node.children.length > 0 ? [node.key, keys(node.children)] : node.key));

it('folds polls into one node, and puts exchanges and decisions below the request that caused them', () => {
  const tree = saleTree(RECORD, true);
  expect(keys(tree)).toEqual([
    ['polls-1', ['frame-1', 'frame-2', 'frame-3', 'frame-4']],
    ['between-5', ['frame-5']],
    [
      'sale-S1',
      [
        ['frame-7', ['apdu-1']],
        'frame-8',
        ['frame-9', ['step-1.1', ['apdu-2', ['step-1.2']]]],
        'frame-10',
        ['polls-11', ['frame-11', 'frame-12']],
      ],
    ],
    ['polls-13', ['frame-13']],
  ]);
  const { subject } = tree[0] as TreeNode;
  expect(subject.kind === 'polls' && pollCount(subject.frames)).toBe(2);
});

it('shows a sale whose frames are forgotten, with what is left of it', () => {
  expect(keys(saleTree({ ...RECORD, frames: [] }, true))).toEqual([
    ['sale-S1', ['step-1.1', 'apdu-1', ['apdu-2', ['step-1.2']]]],
  ]);
});

it('finds rows by direction, text and tag, with what they belong to', () => {
  const tree = saleTree(RECORD, true);
  const find = (filter: Partial<RowFilter>) =>
    keys(filtered(tree, { ...ALL, ...filter }, { frames: new Set([10]), apdus: new Set([2]) }));
  expect(find({ from: 'card' })).toEqual([
    [
      'sale-S1',
      [
        ['frame-7', ['apdu-1']],
        ['frame-9', ['apdu-2']],
      ],
    ],
  ]);
  expect(find({ text: 'because of CRYPTO' })).toEqual([
    ['sale-S1', [['frame-9', [['apdu-2', ['step-1.2']]]]]],
  ]);
  expect(find({ tag: '9F26' })).toEqual([['sale-S1', [['frame-9', [['apdu-2', ['step-1.2']]]], 'frame-10']]]);
  expect(find({ text: '12.34' })).toEqual([keys(tree.slice(2, 3))].flat());
});

it('shows no more rows than its limit, the newest ones', () => {
  const frames = Array.from({ length: MAX_SHOWN_ROWS + 20 }, (_, at) => frame(at + 1));
  const { rows, hidden } = visibleRows(saleTree({ ...RECORD, sales: [], frames }, true), () => true);
  expect(rows.length).toBe(MAX_SHOWN_ROWS);
  expect(hidden).toBe(21);
  expect(rows.at(-1)?.node.key).toBe(`frame-${MAX_SHOWN_ROWS + 20}`);
});

it('finds the way to a node', () => {
  expect(pathTo(saleTree(RECORD, true), 'step-1.2').map(({ key }) => key)).toEqual([
    'sale-S1',
    'frame-9',
    'apdu-2',
    'step-1.2',
  ]);
});
