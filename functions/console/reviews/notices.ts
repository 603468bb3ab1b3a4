/** The end of the queue, for the person who asks for the next link. */
export const nothingFree = 'No unclaimed links are waiting.';
