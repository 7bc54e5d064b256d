/** The names of pptxgenjs' types: written for CommonJS, they stand below `default` for a module. */
import type Module from 'pptxgenjs';

export type PptxGen = Module.default;
export type DeckSlide = Module.default.Slide;
export type TextPropsOptions = Module.default.TextPropsOptions;
export type TextProps = Module.default.TextProps;
export type TableRow = Module.default.TableRow;
export type TableCell = Module.default.TableCell;
