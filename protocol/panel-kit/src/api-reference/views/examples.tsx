import type { JSX } from 'preact';
import { Tabs } from '../../components/tabs.js';
import { useChosen } from '../../state.js';
import { codeSample, LANGUAGE_NAMES, LANGUAGES } from '../model/code-samples.js';
import { type Operation, rightsOf } from '../model/document.js';
import { answerOf, requestOf } from '../model/example.js';
import { choose, type Reference, view } from '../model/store.js';
import { CodeBlock } from './code-block.js';

/** An example of the request in each language, and of its answer. */
export function Examples({
  operation,
  reference: { document },
}: {
  readonly operation: Operation;
  readonly reference: Reference;
}): JSX.Element {
  const language = useChosen(view, (shown) => shown.language);
  const request = requestOf(operation, rightsOf(document, operation) !== undefined);
  const answer = answerOf(operation);
  return (
    <section class="operation-part examples" aria-label="Example">
      <Tabs
        label="Language"
        tabs={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        value={language}
        onChange={choose}
      >
        <CodeBlock
          label={`Request in ${LANGUAGE_NAMES[language]}`}
          code={codeSample(language, location.origin, request)}
        />
      </Tabs>
      {answer && (
        <>
          <h4>
            Answer <span class="soft">{answer.status}</span>
          </h4>
          <CodeBlock
            label="Answer"
            code={typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body, null, 2)}
          />
        </>
      )}
    </section>
  );
}
