import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useChosen } from '../../state.js';
import type { Operation } from '../model/document.js';
import { formOf, groupsOfParameters, type Parameter, parametersOf } from '../model/parameters.js';
import { type Reference, view } from '../model/store.js';
import { Fold } from './fold.js';
import './parameters.css';
import { Words } from './words.js';

/** The first group is open, and any that a search leads into. */
export function Parameters({
  operation,
  reference: { document },
}: {
  readonly operation: Operation;
  readonly reference: Reference;
}): JSX.Element | null {
  const sought = useChosen(view, (shown) =>
    shown.sought?.operation === operation.id ? shown.sought.parameter : undefined,
  );
  const groups = groupsOfParameters(parametersOf(document, operation));
  if (groups.length === 0) return null;
  return (
    <section class="operation-part" aria-label="Parameters">
      <h4>Parameters</h4>
      {groups.map(({ title, parameters }, at) => {
        const isSought = parameters.some(({ name }) => name === sought);
        return (
          <Fold
            key={`${title} ${isSought}`}
            title={title}
            note={String(parameters.length)}
            open={at === 0 || isSought}
          >
            {() => (
              <dl class="parameters">
                {parameters.map((parameter) => (
                  <ParameterRow
                    key={`${parameter.place} ${parameter.name}`}
                    parameter={parameter}
                    isSought={parameter.name === sought}
                  />
                ))}
              </dl>
            )}
          </Fold>
        );
      })}
    </section>
  );
}

function ParameterRow({
  parameter: { name, place, required, description, schema },
  isSought,
}: {
  readonly parameter: Parameter;
  readonly isSought: boolean;
}): JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isSought) row.current?.scrollIntoView({ block: 'center' });
  }, [isSought]);
  return (
    <div ref={row} class={`parameter${isSought ? ' parameter-sought' : ''}`}>
      <dt>
        <code class="parameter-name">{name}</code>
        {place !== 'body' && <span class="soft"> in the {place}</span>}
        {required && <span class="parameter-required"> required</span>}
        {schema['x-sensitive'] && <span class="soft"> in no log and no answer</span>}
      </dt>
      <dd>
        <span class="parameter-form">{formOf(schema)}</span>
        {description !== '' && (
          <p>
            <Words>{description}</Words>
          </p>
        )}
      </dd>
    </div>
  );
}
