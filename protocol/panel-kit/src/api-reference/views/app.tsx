import type { JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Badge } from '../../components/badge.js';
import { Page } from '../../components/page.js';
import { useChosen } from '../../state.js';
import { idInHash, type Reference, show, view } from '../model/store.js';
import './app.css';
import { Errors } from './errors.js';
import { Navigation } from './navigation.js';
import { OperationRow } from './operation-row.js';
import { ResultCodes } from './result-codes.js';
import { Words } from './words.js';

/** The API reference. */
export function App(): JSX.Element {
  const reference = useChosen(view, (shown) => shown.reference);
  const fault = useChosen(view, (shown) => shown.fault);
  const info = reference?.document.info;
  return (
    <Page name={info?.title ?? 'API reference'} states={info && <Badge tone="neutral">{info.version}</Badge>}>
      {reference && <Contents reference={reference} />}
      {fault !== undefined && <p role="alert">The document of the API cannot be loaded: {fault}.</p>}
    </Page>
  );
}

function Contents({ reference }: { readonly reference: Reference }): JSX.Element {
  const { document: api, groups } = reference;
  useLayoutEffect(() => {
    document.title = api.info.title;
    // From here on everything can be read: a browser's tools show it, and a test compares it with a bound.
    performance.mark('operations-shown');
  }, [api]);
  useFollowedHash(groups.some(({ operations }) => operations.length > 0));
  return (
    <div class="reference">
      <Navigation reference={reference} />
      <main class="reference-main">
        <p class="reference-intro">
          <Words>{api.info.description ?? ''}</Words> Samples take the token from the variable{' '}
          <code>TOKEN</code>. The document for tools is <a href="/docs/openapi.json">openapi.json</a>.
        </p>
        {groups.map(({ name, title, description, operations }) => (
          <section key={name} class="reference-group" aria-labelledby={`group-${name}`}>
            <h2 id={`group-${name}`}>{title}</h2>
            {description !== '' && (
              <p class="soft">
                <Words>{description}</Words>
              </p>
            )}
            {operations.map((operation) => (
              <OperationRow key={operation.id} operation={operation} reference={reference} />
            ))}
          </section>
        ))}
        <Errors />
        <ResultCodes />
      </main>
    </div>
  );
}

/** Opens what the address names after its `#`, and moves there. */
function useFollowedHash(ready: boolean): void {
  useEffect(() => {
    if (!ready) return undefined;
    const follow = () => {
      const id = idInHash(location.hash);
      if (id === '') return;
      if (!view.value.open.has(id)) show(id);
      // A parameter that was sought moves into sight itself.
      if (view.value.sought?.operation === id) return;
      // What was opened is drawn first.
      requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView());
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [ready]);
}
