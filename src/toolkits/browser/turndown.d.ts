/** The part of Turndown that is used; the package has no types. */
declare module 'turndown' {
  export default class TurndownService {
    constructor(options: {
      readonly headingStyle: 'atx';
      readonly codeBlockStyle: 'fenced';
      readonly bulletListMarker: '-';
    });
    /** `html` is an element of a DOM. */
    turndown(html: object): string;
  }
}
