import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import './tabs.css';

/** One of several views. */
export interface Tab<T extends string> {
  readonly value: T;
  readonly label: string;
}

/** Views of which one is shown; arrow keys move between their tabs (WAI-ARIA tabs pattern). */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const tabOf = (of: T) => list.current?.querySelector<HTMLButtonElement>(`[data-tab="${of}"]`);
  // On a narrow screen the tabs scroll sideways; where they do not, the page stays where it is.
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = list.current ?? {};
    if (scrollWidth > clientWidth) tabOf(value)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.value);
    tabOf(next.value)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            class="tab"
            id={`${id}-${tab.value}`}
            data-tab={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
