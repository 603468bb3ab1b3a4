import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** @param isUnseen when the text is on the page already. */
type Announce = (text: string, isUnseen?: boolean) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Returns the function that shows a short text at the end of the page, which screen readers read out. */
export const useAnnounce = () => useContext(AnnounceContext);

/** Holds the line that is read out. It is there before its text: readers notice only a change. */
export function Announced({ children }: { children: ComponentChildren }) {
  const [said, setSaid] = useState({ text: '', isUnseen: false });
  const announce = useCallback<Announce>((text, isUnseen = false) => setSaid({ text, isUnseen }), []);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <p role="status" class={said.isUnseen ? 'status unseen' : 'status'}>
        {said.text}
      </p>
    </AnnounceContext.Provider>
  );
}

/** The browser places the focus on a page that it opens; later steps do it themselves. */
let isOpened = false;

/** One step. Its heading takes the focus, so that the keyboard and the screen reader go on from there. */
export function Step({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const announce = useAnnounce();
  useEffect(() => {
    if (isOpened) heading.current?.focus();
    isOpened = true;
    announce('');
  }, [announce]);
  useEffect(() => {
    document.title = `${title} – Vouchsafe`;
  }, [title]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </>
  );
}

/** A problem with what the person just did. It takes the focus, and is read out. */
export function Alert({ children }: { children: ComponentChildren }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <div class="alert" role="alert" tabIndex={-1} ref={alert}>
      {children}
    </div>
  );
}

/** The parts of the page that would be lost by leaving it. */
const losses = new Set<object>();

/**
 * Asks before the page is left, while leaving it would lose something that cannot be had again. The question stands as
 * soon as the page shows that state. An effect that runs after the paint would leave a gap.
 */
export function useLeaveQuestion(isAsked: boolean): void {
  useLayoutEffect(() => {
    if (!isAsked) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    losses.add(ask);
    addEventListener('beforeunload', ask);
    return () => {
      losses.delete(ask);
      removeEventListener('beforeunload', ask);
    };
  }, [isAsked]);
}

/** Asks the same before this script replaces what the page shows. The browser asks only when it loads another page. */
export function mayReplace(question: string): boolean {
  return losses.size === 0 || confirm(question);
}
