import type { ComponentChildren, JSX } from 'preact';
import { useChosen } from '../../state.js';
import { RESULT_CODES, type Reference, show, view } from '../model/store.js';
import { Meaning } from './meaning.js';
import { Method } from './method.js';
import { Path } from './path.js';

/** Of each kind so many are listed. */
const MOST = 12;

/** What a search has found, each a link. */
export function SearchResults({
  reference,
  sought,
  onChoose,
}: {
  readonly reference: Reference;
  readonly sought: string;
  readonly onChoose: () => void;
}): JSX.Element {
  const codes = useChosen(view, (shown) => shown.codes);
  const { operations, parameters, resultCodes } = reference.index.find(sought, codes);
  const count = operations.length + parameters.length + resultCodes.length;
  const link = (id: string, more: Parameters<typeof show>[1], content: ComponentChildren) => (
    <a
      class="navigation-link"
      href={`#${id}`}
      onClick={() => {
        show(id, more);
        onChoose();
      }}
    >
      {content}
    </a>
  );
  return (
    <section aria-label="Search results">
      <p class="reader" role="status">
        {count === 1 ? '1 result' : `${count} results`}
      </p>
      {count === 0 && <p class="navigation-more">Nothing has all of these words.</p>}
      <Kind title="Operations" found={operations}>
        {({ id, method, path, summary }) =>
          link(
            id,
            {},
            <>
              <Method name={method} />
              <span class="navigation-found">
                <Path>{path}</Path>
                <span class="soft">{summary}</span>
              </span>
            </>,
          )
        }
      </Kind>
      <Kind title="Parameters" found={parameters}>
        {({ name, operations: [first, ...others] }) =>
          first &&
          link(
            first.id,
            { parameter: name },
            <span class="navigation-found">
              {name}
              <span class="soft">
                {first.method} {first.path}
                {others.length > 0 && ` and ${others.length} more`}
              </span>
            </span>,
          )
        }
      </Kind>
      <Kind title="Result codes" found={resultCodes}>
        {({ code, meaning, description }) =>
          link(
            RESULT_CODES,
            { code },
            <span class="navigation-found">
              {code} <Meaning of={meaning} />
              <span class="soft">{description}</span>
            </span>,
          )
        }
      </Kind>
    </section>
  );
}

function Kind<T>({
  title,
  found,
  children,
}: {
  readonly title: string;
  readonly found: readonly T[];
  readonly children: (one: T) => ComponentChildren;
}): JSX.Element | null {
  if (found.length === 0) return null;
  return (
    <>
      <h2 class="navigation-title">{title}</h2>
      <ul>
        {found.slice(0, MOST).map((one, at) => (
          <li key={at}>{children(one)}</li>
        ))}
      </ul>
      {found.length > MOST && <p class="navigation-more">and {found.length - MOST} more</p>}
    </>
  );
}
