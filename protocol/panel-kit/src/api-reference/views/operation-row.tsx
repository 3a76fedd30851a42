import type { JSX } from 'preact';
import { Badge } from '../../components/badge.js';
import { useChosen } from '../../state.js';
import { type Operation, rightsOf } from '../model/document.js';
import { type Reference, toggle, view } from '../model/store.js';
import { Answers } from './answers.js';
import { Examples } from './examples.js';
import { Method } from './method.js';
import './operation-row.css';
import { Parameters } from './parameters.js';
import { Path } from './path.js';
import { Words } from './words.js';

interface OperationProps {
  readonly operation: Operation;
  readonly reference: Reference;
}

/** An operation: a line that opens, and what is in it. */
export function OperationRow({ operation, reference }: OperationProps): JSX.Element {
  const { id, method, path, summary } = operation;
  const open = useChosen(view, (shown) => shown.open.has(id));
  const change = () => {
    toggle(id);
    if (!open) history.replaceState(null, '', `#${id}`);
  };
  return (
    <article class={`operation${open ? ' operation-open' : ''}`} id={id}>
      <div class="operation-head">
        <h3>
          <button type="button" class="operation-button" aria-expanded={open} onClick={change}>
            <Method name={method} />
            <code class="operation-path">
              <Path>{path}</Path>
            </code>
            <span class="operation-summary">
              <Words>{summary}</Words>
            </span>
          </button>
        </h3>
        <a class="operation-link" href={`#${id}`} aria-label={`Link to ${method} ${path}`}>
          #
        </a>
      </div>
      {open && <Details operation={operation} reference={reference} />}
    </article>
  );
}

function Details({ operation, reference }: OperationProps): JSX.Element {
  const { object } = operation;
  const rights = rightsOf(reference.document, operation);
  return (
    <div class="operation-body">
      <div class="operation-text">
        {object.description !== undefined && (
          <p>
            <Words>{object.description}</Words>
          </p>
        )}
        <p class="operation-facts">
          <span class="soft">{rightsText(rights)}</span>
          {object['x-addition'] && <Badge tone="info">addition</Badge>}
        </p>
        <Parameters operation={operation} reference={reference} />
        <Answers operation={operation} reference={reference} />
      </div>
      <Examples operation={operation} reference={reference} />
    </div>
  );
}

function rightsText(rights: readonly string[] | undefined): string {
  if (!rights) return 'Needs no token.';
  if (rights.length === 0) return 'Needs a token.';
  if (rights.length === 1) return `Needs a token with the right ${rights[0]}.`;
  return `Needs a token with one of the rights ${rights.join(', ')}.`;
}
