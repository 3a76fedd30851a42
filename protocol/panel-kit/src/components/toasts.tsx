import type { JSX } from 'preact';
import { State, useChosen } from '../state.js';
import { componentWords } from '../words.js';
import type { Tone } from './badge.js';
import { Button } from './button.js';
import { Technical } from './technical.js';
import './toasts.css';

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
  readonly detail: string | undefined;
}

/** How many messages are shown at once; beyond it the oldest goes. */
const MAX_TOASTS = 3;

/** How long a message is shown, in milliseconds. */
const SHOWN_MS = 8_000;

const toasts = new State<readonly Toast[]>([]);
let made = 0;

/** Shows a message for a while. `detail`: for a technician, behind a fold. */
export function showToast(text: string, tone: Tone = 'info', detail?: string): void {
  made += 1;
  const id = made;
  toasts.change((shown) => [...shown, { id, tone, text, detail }].slice(-MAX_TOASTS));
  setTimeout(() => remove(id), SHOWN_MS);
}

function remove(id: number): void {
  toasts.change((shown) =>
    shown.some((toast) => toast.id === id) ? shown.filter((toast) => toast.id !== id) : shown,
  );
}

/** Where messages appear; once in a page. */
export function Toasts(): JSX.Element {
  const shown = useChosen(toasts, (all) => all);
  return (
    <div class="toasts" role="status" aria-label={componentWords().messages}>
      {shown.map(({ id, tone, text, detail }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <div>
            {text}
            <Technical text={detail} />
          </div>
          <Button kind="quiet" size="small" icon="close" iconOnly onClick={() => remove(id)}>
            {componentWords().dismiss}
          </Button>
        </div>
      ))}
    </div>
  );
}
