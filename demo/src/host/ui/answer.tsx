import { useEffect, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';

/**
 * The text of a final result: what a model would go on with. Shown in part where it is long, since the app
 * above has shown it already.
 */
export function Answer({ text }: { text: string }): ReactElement {
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();

  // Whether it is cut depends on its width as well as on its text.
  useEffect(() => {
    const element = body.current;
    if (element === null || open) return undefined;
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [open]);

  return (
    <div className="answer">
      <div id={id} ref={body} className={open ? 'text' : 'text clamped'}>
        {text}
      </div>
      {(long || open) && (
        <button
          type="button"
          className="quiet"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  );
}
