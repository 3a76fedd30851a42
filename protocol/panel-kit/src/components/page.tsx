import type { ComponentChildren, JSX } from 'preact';
// The tokens stand first: the sheets of all components use them.
import '../styles/tokens.css';
import '../styles/base.css';
import './page.css';
import { ThemeSwitch } from './theme-switch.js';
import { Toasts } from './toasts.js';

/** What frames a page. */
interface PageProps {
  /** The name of the page, its first heading. */
  readonly name: string;
  /** States that concern the whole page. */
  readonly states?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page: a head with name, states and tools, the main part, and messages. */
export function Page({ name, states, tools, children }: PageProps): JSX.Element {
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="page-name">
          <Mark />
          {name}
        </h1>
        <div class="page-states">{states}</div>
        <div class="page-tools">
          {tools}
          <ThemeSwitch />
        </div>
      </header>
      {children}
      <Toasts />
    </div>
  );
}

/** The mark of tillbridge: an arch between two sides. */
function Mark(): JSX.Element {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      <rect width="28" height="28" rx="7" fill="currentColor" />
      <path
        d="M5 19.5h18M8 19.5v-3a6 6 0 0 1 12 0v3M5 11.5h18"
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="2.2"
        stroke-linecap="round"
      />
    </svg>
  );
}
