/** The program begins after this on its first line. No line is added, so that lines in its stacks are its own. */
export const prefix = '(async () => {"use strict"; ';
