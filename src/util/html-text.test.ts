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
    ['<p style="display:none">x</p>a', 'a'],
    ['<div style="DISPLAY : none !important"><p>x</p><img alt="x"><a href="https://x.example">x</a></div>a', 'a'],
    ['<p hidden>x<p>a', 'a'],
    ['<ul><li style="visibility:hidden">x<li>a</ul>', '- a'],
    ['<p style="visibility:hidden">x<b style="visibility:visible">a</b></p>', 'a'],
    ['<span style="font-size:0">x</span><span style="font-size:1px">x</span>a', 'a'],
    ['<div style="font-size:0"><td style="font-size:12px">a</td></div>', 'a'],
    ['<span style="opacity:0">x</span><span style="mso-hide:all">x</span>a', 'a'],
    ['<div style="max-height:0;overflow:hidden">x</div>a', 'a'],
    ['<div style="position:absolute;left:-9999px">x</div>a', 'a'],
    ['<font color="#FFFFFF">x</font><span style="color:rgb(250, 255, 255)">x</span>a', 'a'],
    ['<span style="color:transparent">x</span>a', 'a'],
    ['<body bgcolor=black style="color:#000">x<p style="color:white">a', 'a'],
    ['<table bgcolor="#003366"><tr><td style="color:white">a</td></tr></table>', 'a'],
    ['<div style="background:navy;color:#fff">a</div><div style="background:url(x.png);color:#fff">b</div>', 'a\r\nb'],
    ['<style>/* {} */ .x, #y { display:none }</style><p class="b x">x</p><p id=y>x</p><p class=z>a</p>', 'a'],
    ['<style>.x{color:#fff}</style><p class=x>x</p><p class=x style="color:#333">a</p>', 'a'],
    ['<style>@media (max-width:600px){.x{display:none}}.y{display:none}</style><p class=x>a</p><p class=y>x</p>', 'a'],
    ['<style>.x{display:none}.x.on{display:block}</style><p class="on x">a</p><p class="x">x</p>', 'a'],
    [
      '<style>table .x{display:none} .head .y{background:#036}</style><p class=x>a</p><p class=y style="color:#fff">b',
      'a\r\n\r\nb',
    ],
    ['<style>body{opacity:0}</style><body style="visibility:hidden">a', 'a'],
    ['<p title=" hidden style=display:none ">a</p><p aria-hidden=true>b</p>', 'a\r\n\r\nb'],
  ])('R-email attack: text that nobody sees is left out of %j', async (html, text) => {
    expect(await htmlToText(html)).toBe(text);
  });

  test.each([
    ['rules of one kind', '*{color:red}'.repeat(5_000), '<b>a</b>'.repeat(20_000)],
    [
      'rules that fit no element',
      Array.from({ length: 5_000 }, (_, at) => `.a${at}.b{color:red}`).join(''),
      '<b class="b">a</b>'.repeat(20_000),
    ],
    [
      'steps of selectors',
      Array.from({ length: 5_000 }, (_, at) => `.a${at} b{background:red}`).join(''),
      '<b>a</b>'.repeat(20_000),
    ],
    [
      'different classes',
      '.b{color:red}'.repeat(5_000),
      Array.from({ length: 20_000 }, (_, at) => `<b class="b x${at}">a</b>`).join(''),
    ],
  ])('R-email attack: many %s take little time', async (_, rules, body) => {
    const worked = startCpuClock();
    await htmlToText(`<style>${rules}</style>${body}`);
    expect(worked()).toBeLessThan(3_000);
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
    '<style>',
    '<style>/*</style>',
    '<style>@a{',
    '<p style="',
    '<p style=a>',
    '<p hidden>',
    ' x="',
    "<p x='",
  ])('R-email: %j, over and over, takes no longer than its length', async (piece) => {
    const html = piece.repeat(Math.ceil(300_000 / piece.length));
    const worked = startCpuClock();
    await htmlToText(html);
    expect(worked()).toBeLessThan(3_000);
  });
});
