import type { Queue, Sale, Status } from '../api/answers.js';

/** Something that staff has to do, with its one action. */
export type Todo =
  /** It is done at the gateway, and leaves the list then. */
  | { readonly kind: 'refused-device'; readonly device: Status['todos'][number] }
  | { readonly kind: 'late-decline'; readonly lateDecline: Queue['lateDeclines'][number] }
  | { readonly kind: 'parked'; readonly parked: Status['parked'][number]; readonly sale: Sale | undefined };

/** What staff has to do: parked sales first, since a customer may wait; then what keeps a terminal from selling. */
export function todosOf(
  status: Status | undefined,
  queue: Queue | undefined,
  sales: readonly Sale[],
): readonly Todo[] {
  const parked = (status?.parked ?? []).map((each): Todo => {
    return {
      kind: 'parked',
      parked: each,
      sale: sales.find(({ reference }) => reference === each.reference),
    };
  });
  const late = (queue?.lateDeclines ?? []).map(
    (lateDecline): Todo => ({ kind: 'late-decline', lateDecline }),
  );
  const refused = (status?.todos ?? []).map((device): Todo => ({ kind: 'refused-device', device }));
  return [...parked, ...refused, ...late];
}
