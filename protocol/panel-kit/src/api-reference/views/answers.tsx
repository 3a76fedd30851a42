import type { JSX } from 'preact';
import { answerFields } from '../model/answer-fields.js';
import type { Operation } from '../model/document.js';
import { formOf } from '../model/parameters.js';
import type { Reference } from '../model/store.js';
import { Fold } from './fold.js';
import { Words } from './words.js';

/** The answers of an operation by their status, with the members of each. */
export function Answers({
  operation,
  reference,
}: {
  readonly operation: Operation;
  readonly reference: Reference;
}): JSX.Element {
  return (
    <section class="operation-part" aria-label="Answers">
      <h4>Answers</h4>
      {Object.entries(operation.object.responses ?? {}).map(
        ([status, { description = '', content = {} }]) => {
          const [[type, { schema = {} } = {}] = ['']] = Object.entries(content);
          return (
            <Fold key={status} title={status} note={description}>
              {() => <Members type={type} fields={answerFields(reference.document, schema)} />}
            </Fold>
          );
        },
      )}
    </section>
  );
}

function Members({
  type,
  fields,
}: {
  readonly type: string;
  readonly fields: ReturnType<typeof answerFields>;
}): JSX.Element {
  if (fields.length === 0) return <p class="soft">{type === '' ? 'No body.' : type}</p>;
  return (
    <dl class="parameters">
      {fields.map(({ name, schema }) => (
        <div key={name} class="parameter">
          <dt>
            <code class="parameter-name">{name}</code>
          </dt>
          <dd>
            <span class="parameter-form">{formOf(schema)}</span>
            {schema.description !== undefined && (
              <p>
                <Words>{schema.description}</Words>
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
