/** The text alternative of HTML mails. */
import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../testing/cpu-time.js';
import { htmlToText } from './html-text.js';

describe('html to text', () => {
  test.each([
    ['', ''],
    ['plain', 'plain'],
    ['a   b\n\n c', 'a b c'],
    ['<p>one</p><p>two</p>', 'one\r\n\r\ntwo'],
    ['one<br>two<br><br>three', 'one\r\ntwo\r\n\r\nthree'],
    ['<div>one</div><div>two</div>', 'one\r\ntwo'],
    ['<b>bo</b>ld <i>it</i>', 'bold it'],
    ['<ul><li>one</li><li>two <b>x</b></li></ul>end', '- one\r\n- two x\r\n\r\nend'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\r\nc'],
    [
      '<p>Log:</p><pre>\na  b\n  <b>c</b> &lt;d\n\n\n\te</pre><p>end  x',
      'Log:\r\n\r\na  b\r\n  c <d\r\n\r\n\te\r\n\r\nend x',
    ],
    ['<pre>one<br>  two</pre>', 'one\r\n  two'],
    ['<a href="https://x.example/?a=1&amp;b=2">here</a>.', 'here (https://x.example/?a=1&b=2).'],
    ['<a href="https://x.example/">https://x.example/</a>', 'https://x.example/'],
    ['<a href="mailto:a@x.example">a@x.example</a>', 'a@x.example'],
    ['<a href="javascript:alert(1)">here</a>', 'here'],
    ["<a class=x href='https://x.example/'><img alt='Logo'></a>", 'Logo (https://x.example/)'],
    ['<head><title>t</title><style>p{}</style></head><body>b', 'b'],
    ['a<script>if (1 < 2) "</p>"</script>b<SCRIPT>x</SCRIPT>c', 'abc'],
    ['a<!-- <p> -->b<!doctype html><?xml ?>c', 'abc'],
    ['a < b & c &lt; d &#228;&#xE4; &auml;&nbsp;&unknown; &#0;&#x110000;', 'a < b & c < d ää ä &unknown;'],
    ['&Aring;&hearts;&alpha;&Hat;&frac12;&CounterClockwiseContourIntegral; &amp;hearts;', 'Å♥α^½∳ &hearts;'],
    ['a&shy;b&zwnj;c&ZeroWidthSpace;d&lrm;e&Tab;f&NewLine;g', 'abcde f g'],
    ['<p title="a > b">x</p>', 'x'],
    ['<p', ''],
    ['x<', 'x<'],
    ['<script>never closed', ''],
  ])('R-email: %j', async (html, text) => {
    expect(await htmlToText(html)).toBe(text);
  });

  test.each([
    '<',
    '<a',
    '<a href=',
    '<p "',
    '<!--',
    '<script>',
    '<script></script ',
    '&',
    '&#',
    '<a href="https://x/">',
    '</',
    ' ',
    '<li>',
    '\n<br>',
  ])('R-email: %j, over and over, takes no longer than its length', async (piece) => {
    const html = piece.repeat(Math.ceil(300_000 / piece.length));
    const worked = startCpuClock();
    await htmlToText(html);
    expect(worked()).toBeLessThan(3_000);
  });
});
