/** Runs one piece of work after the other, in the order of the calls. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own: the failure of one piece of work is that of its caller alone. */
export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
