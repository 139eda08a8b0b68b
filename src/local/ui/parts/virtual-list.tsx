import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface Column<T> {
  readonly title: string;
  /** The class of its cells, which gives the width. */
  readonly name: string;
  readonly cell: (item: T) => ComponentChildren;
}

/** The attributes of the line of an item. */
interface RowProps {
  readonly class?: string;
  readonly "aria-level"?: number;
  readonly "aria-expanded"?: boolean;
}

export interface VirtualListProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly selected: string;
  readonly onSelect: (item: T) => void;
  /** Handles a key on the active item; returns true if it did. */
  readonly onKey?: (item: T, key: string) => boolean;
  readonly rowProps?: (item: T) => RowProps;
  /** `treegrid` for items with levels. */
  readonly role?: "grid" | "treegrid";
  /** Stays at the end while new items come, unless somebody scrolls up. */
  readonly follows?: boolean;
  readonly empty: ComponentChildren;
}

const rowHeight = 30;
const margin = 12;

/** A list of any length, of which only the visible lines exist. The arrow keys move, Enter selects. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { label, columns, items, keyOf, selected, onSelect, onKey, rowProps, role = "grid", follows } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [active, setActive] = useState("");
  const atEnd = useRef(true);

  useEffect(() => {
    const element = box.current!;
    const measure = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }));
    measure.observe(element);
    return () => measure.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (follows && atEnd.current && box.current) box.current.scrollTop = items.length * rowHeight;
  }, [follows, items.length]);

  // A link can select a line that is out of sight.
  useLayoutEffect(() => {
    const index = items.findIndex((item) => keyOf(item) === selected);
    if (index < 0) return;
    setActive(selected);
    atEnd.current = false;
    reveal(box.current!, index);
  }, [selected]);

  const activeIndex = Math.max(
    0,
    items.findIndex((item) => keyOf(item) === (active || selected)),
  );
  const move = (index: number): void => {
    const to = Math.max(0, Math.min(items.length - 1, index));
    const item = items[to];
    if (item === undefined) return;
    setActive(keyOf(item));
    reveal(box.current!, to);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + page,
      PageUp: activeIndex - page,
      Home: 0,
      End: items.length - 1,
    };
    const item = items[activeIndex];
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (item !== undefined && (event.key === "Enter" || event.key === " ")) onSelect(item);
    else if (item === undefined || !onKey?.(item, event.key)) return;
    event.preventDefault();
  };
  const scroll = (): void => {
    const { scrollTop: top, clientHeight: height, scrollHeight } = box.current!;
    atEnd.current = top + height > scrollHeight - 2 * rowHeight;
    setView({ top, height });
  };

  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const visible = items.slice(first, first + Math.ceil(view.height / rowHeight) + 2 * margin);
  const activeKey = items[activeIndex] === undefined ? undefined : `row-${activeIndex}`;
  const isDrawn = activeIndex >= first && activeIndex < first + visible.length;
  return (
    <div
      class="list"
      role={role}
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-activedescendant={isDrawn ? activeKey : undefined}
      tabIndex={0}
      ref={box}
      onScroll={scroll}
      onKeyDown={press}
    >
      <div class="row head" role="row" aria-rowindex={1}>
        {columns.map(({ title, name }) => (
          <span role="columnheader" class={`cell ${name}`} key={name}>
            {title}
          </span>
        ))}
      </div>
      {items.length === 0 && (
        <div role="row" class="empty">
          <span role="gridcell">{props.empty}</span>
        </div>
      )}
      <div class="rows" role="rowgroup" style={{ height: `${items.length * rowHeight}px` }}>
        {visible.map((item, offset) => {
          const [index, key] = [first + offset, keyOf(item)];
          const { class: extra = "", ...rest } = rowProps?.(item) ?? {};
          return (
            <div
              key={key}
              id={`row-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={key === selected}
              class={`row ${index === activeIndex ? "active" : ""} ${extra}`}
              style={{ transform: `translateY(${index * rowHeight}px)` }}
              onClick={() => {
                setActive(key);
                onSelect(item);
              }}
              {...rest}
            >
              {columns.map(({ name, cell }) => (
                <span role="gridcell" class={`cell ${name}`} key={name}>
                  {cell(item)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls no further than a line needs to be seen. */
function reveal(element: HTMLElement, index: number): void {
  const top = index * rowHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  const lowest = top + 2 * rowHeight - element.clientHeight;
  if (lowest > element.scrollTop) element.scrollTop = lowest;
}
