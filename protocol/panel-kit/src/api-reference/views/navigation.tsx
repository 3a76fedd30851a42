import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.js';
import { useChosen } from '../../state.js';
import { ERRORS, RESULT_CODES, type Reference, show, view } from '../model/store.js';
import { Method } from './method.js';
import './navigation.css';
import { Path } from './path.js';
import { SearchResults } from './search-results.js';

/** Search, and all operations by what they are for. On a narrow page the list opens by a button. */
export function Navigation({ reference }: { readonly reference: Reference }): JSX.Element {
  const [sought, setSought] = useState('');
  const [listed, setListed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      const { tagName } = event.target as HTMLElement;
      if (event.key !== '/' || tagName === 'INPUT' || tagName === 'SELECT') return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focusOnSlash);
    return () => removeEventListener('keydown', focusOnSlash);
  }, []);
  const links = () => results.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [];
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') links()[0]?.click();
    else if (event.key === 'ArrowDown') links()[0]?.focus();
    else if (event.key === 'Escape') setSought('');
    else return;
    event.preventDefault();
  };
  const done = () => {
    setSought('');
    setListed(false);
  };
  return (
    <div class="navigation">
      <div class="navigation-tools">
        <input
          ref={field}
          class="control"
          type="search"
          aria-label="Search operations, parameters and result codes"
          placeholder="Search (press /)"
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
          onKeyDown={press}
        />
        <span class="navigation-opener">
          <Button pressed={listed} onClick={() => setListed(!listed)}>
            Contents
          </Button>
        </span>
      </div>
      {sought.trim() === '' ? (
        <nav class={`navigation-list${listed ? ' navigation-listed' : ''}`} aria-label="Contents">
          <Contents reference={reference} onChoose={() => setListed(false)} />
        </nav>
      ) : (
        <div ref={results}>
          <SearchResults reference={reference} sought={sought} onChoose={done} />
        </div>
      )}
    </div>
  );
}

function Contents({
  reference: { groups },
  onChoose,
}: {
  readonly reference: Reference;
  readonly onChoose: () => void;
}): JSX.Element {
  const { errors, resultCodes } = useChosen(view, ({ codes }) => codes);
  const choose = (id: string) => () => {
    show(id);
    onChoose();
  };
  return (
    <>
      {groups.map(({ name, title, operations }) => (
        <section key={name}>
          <h2 class="navigation-title">{title}</h2>
          <ul>
            {operations.map(({ id, method, path }) => (
              <li key={id}>
                <a class="navigation-link" href={`#${id}`} onClick={choose(id)}>
                  <Method name={method} />
                  <span>
                    <Path>{path}</Path>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2 class="navigation-title">Tables</h2>
        <ul>
          {errors.length > 0 && (
            <li>
              <a class="navigation-link" href={`#${ERRORS}`} onClick={choose(ERRORS)}>
                Errors
              </a>
            </li>
          )}
          {resultCodes.length > 0 && (
            <li>
              <a class="navigation-link" href={`#${RESULT_CODES}`} onClick={choose(RESULT_CODES)}>
                Result codes
              </a>
            </li>
          )}
        </ul>
      </section>
    </>
  );
}
