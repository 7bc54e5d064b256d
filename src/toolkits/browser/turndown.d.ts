/** The part of Turndown that is used; the package has no types. */
declare module 'turndown' {
  export default class TurndownService {
    constructor(options: {
      readonly headingStyle: 'atx';
      readonly codeBlockStyle: 'fenced';
      readonly bulletListMarker: '-';
    });
    /** `content` is what the children of the element were turned into. */
    addRule(
      name: string,
      rule: {
        readonly filter: string;
        readonly replacement: (content: string, element: import('./markdown-tables.js').TableElement) => string;
      },
    ): void;
    /** `html` is an element of a DOM. */
    turndown(html: object): string;
  }
}
