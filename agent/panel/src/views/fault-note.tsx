import { Technical } from '@tillbridge/panel-kit/components/technical.js';
import type { JSX } from 'preact';

/** What staff does about a fault, and for a technician what the agent wrote of it. */
export function FaultNote({
  todo,
  detail,
}: {
  readonly todo: string;
  readonly detail?: string | undefined;
}): JSX.Element {
  return (
    <div class="fault-note">
      <p>{todo}</p>
      <Technical text={detail} />
    </div>
  );
}
