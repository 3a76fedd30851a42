import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import type { JSX } from 'preact';
import './object-tree.css';

/** Data objects as a tree: tag, name, value and meaning. */
export function ObjectTree({
  label,
  nodes,
}: {
  readonly label: string;
  readonly nodes: readonly DescribedNode[];
}): JSX.Element | null {
  if (nodes.length === 0) return null;
  return (
    <div class="objects">
      <h4 class="objects-title">{label}</h4>
      <Nodes nodes={nodes} />
    </div>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly DescribedNode[] }): JSX.Element {
  return (
    <ul class="objects-nodes">
      {nodes.map((node, at) => (
        <li key={at}>
          <code class="objects-tag">{node.tag}</code> <span class="objects-name">{node.name}</span>{' '}
          {node.value !== undefined && <code class="objects-value">{node.value}</code>}
          {node.fault !== undefined && <div class="objects-fault">{node.fault}</div>}
          {node.meaning.map((line, place) => (
            <div key={place} class="objects-meaning">
              {line}
            </div>
          ))}
          {node.children.length > 0 && <Nodes nodes={node.children} />}
        </li>
      ))}
    </ul>
  );
}
