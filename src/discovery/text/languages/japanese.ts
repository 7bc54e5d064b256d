/** Japanese verbs and nouns of requests, verbs by the beginnings that their forms share; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const japanese: LanguageData = {
  functions: `
    not ではなく じゃなく ではない しないで せずに ないで, of の, in で に 内の 中の, to へ まで 宛に 宛てに, and と や および, then それから その後 して次に, from から, my 私の 自分の 僕の, our うちの 当社の 弊社の, this この これ こちら, that その あの それ, all
    全部 すべて 全て 全ての 一覧で, about について に関する, what 何 どの どんな, who 誰 だれ, when いつ, where どこ, how どう どうやって, please ください 下さい お願い お願いします ほしい 欲しい たい くれる もらえる できる
    は が を も か ね よ です ます って という いる ある した する して し された, how_many いくつ 何件 何人 いくら どれくらい, new 新しい 新しく 新規, more もっと`,
  verbs: `
    create 作成 作って 作る 作り 作りたい 新規作成 立てて 生成 つくって 起票, add 追加 加えて 加える 足して 入れて 入れる 付け加え, delete 削除 消して 消す 消し, remove 外して 外す 取り除 除外 はずして, update 更新
    変更 編集 修正 直して 直す 書き換え, change 変えて 変える 変え, rename 名前を変更 改名 名前を変え リネーム, set 設定 セット, send 送信 送って 送る 送り 送付 送りたい 出して, reply 返信 返事 返答, forward
    転送, show 表示 見せて 見せる 見たい 見て 見る 確認したい, get 取得 教えて 教え 調べて 知りたい 取って 取り出し 参照 もらって, list 一覧 リストアップ 一覧表示 列挙 並べて, search 検索 探して 探す 探し 調査, find
    見つけて 見つけ, open 開いて 開く, read 読んで 読む 読み込 読み上げ, download ダウンロード, upload アップロード アップして, export エクスポート 書き出し 書き出して, import インポート 取り込, move 移動 移して 移す, copy コピー 複写,
    duplicate 複製, share 共有 シェア, invite 招待 誘って, assign 割り当て 割り当てて 担当にして アサイン, close クローズ 閉じて 閉じる 締めて, complete 完了 終わらせ 完了にして, mark マーク 既読にして, cancel キャンセル 取り消し
    取り消して 中止, archive アーカイブ, restore 復元 元に戻して 戻して, publish 公開 発行, post 投稿 書き込 掲載, schedule スケジュールして 予定を入れ 予約投稿, reschedule 延期 リスケ 日程を変更 ずらして, start 開始
    始めて 起動 スタート, stop 停止 止めて 止める, pause 一時停止, resume 再開, run 実行 走らせ, enable 有効 オンにして 有効化 つけて, disable 無効 オフにして 無効化, approve 承認, reject 却下 拒否, accept 受け入れ 承諾,
    merge マージ 統合 結合, lock ロック, unlock ロック解除, subscribe 購読 登録したい, unsubscribe 購読解除 配信停止 解除, follow フォロー, unfollow フォロー解除, like いいね, pay 支払って 支払う 払って, charge 請求して 課金,
    refund 返金 払い戻し, buy 買って 購入, order 注文して 発注, book 予約して 予約, check 確認 チェック, verify 検証, count 数えて 件数 集計, calculate 計算, convert 変換 換算, translate 翻訳 訳して, summarize 要約 まとめて,
    compare 比較 比べて, analyze 分析 解析, write 書いて 書く 執筆, save 保存 保管, attach 添付, block ブロック, notify 通知して 知らせて 連絡して お知らせ, remind リマインド 思い出させて, connect 接続 つないで 連携, disconnect 切断, sync
    同期, track 追跡, record 記録 登録 メモして, call 電話して 電話をかけ, ask 聞いて 質問して, sign 署名 サイン, print 印刷, play 再生 流して かけて, mute ミュート 消音, pin ピン留め 固定, sort 並べ替え ソート, filter 絞り込, replace 置き換え 置換
    差し替え, clear クリア 空にして, leave 退出 抜けて, join 参加, deploy デプロイ, build ビルド, test テスト, scan スキャン, extract 抽出 抜き出し, scrape スクレイピング, transcribe 文字起こし, draw 描いて, resize リサイズ
    サイズ変更, compress 圧縮, submit 提出, describe 説明して, explain 解説, tag タグ付け, comment コメントして, review レビュー 見直, link リンクして 紐付け, hide 非表示, reset リセット, retry 再試行 やり直, split 分割,
    transfer 振り込 振込 送金, suspend 停止して, revoke 取り消す 失効, grant 付与, crop 切り抜, predict 予測, solve 解いて, browse 閲覧, visit 訪問 アクセスして, evaluate 評価, multiply 掛けて 掛ける, divide 割って, round 丸めて,
    win 勝った 優勝, lose 負けた, sell 売れた 売る, forget 忘れた, fix 修理, rent 貸す 借りる, hire 採用 雇う, delete 捨てて 捨てる 消さ, finish 終わった,
    send 送っ 届け`,
  nouns: `
    email メール 電子メール Eメール, inbox 受信トレイ 受信箱, message メッセージ, channel チャンネル チャネル, conversation 会話, chat チャット, thread スレッド, draft 下書き, attachment 添付ファイル, label ラベル, folder フォルダ フォルダー,
    file ファイル, document 文書 ドキュメント 書類 資料, page ページ, note ノート メモ, notebook ノートブック, task タスク 作業 やること, subtask サブタスク, list リスト 名簿, project プロジェクト 案件, board ボード, card カード, column 列
    カラム, checklist チェックリスト, comment コメント, reaction リアクション, issue 課題 イシュー 問題, ticket チケット, bug バグ 不具合, repository リポジトリ レポジトリ, branch ブランチ, commit コミット, pull_request プルリクエスト
    プルリク, release リリース, code コード, workflow ワークフロー, pipeline パイプライン, deployment デプロイメント, environment 環境, variable 変数, secret シークレット, key キー 鍵, event イベント 予定, calendar カレンダー, meeting
    会議 ミーティング 打ち合わせ, appointment アポ 予約枠, reminder リマインダー, invitation 招待状, attendee 参加者 出席者, availability 空き 空き時間 空いてる, schedule スケジュール 日程 シフト表, contact 連絡先, customer 顧客 お客様 取引先
    お客さん, company 会社 企業, organization 組織, lead リード 見込み客, deal 商談 取引, opportunity 案件機会, quote 見積 見積もり 見積書, order 注文 オーダー 受注, cart カート, product 商品 製品, item アイテム 品目 項目, price
    価格 値段 料金, discount 割引, coupon クーポン, inventory 在庫, shipment 出荷 発送, package 荷物 小包, address 住所 宛先, store 店舗 ショップ お店, invoice 請求書 インボイス, payment 支払い 支払 入金 決済, refund 返金処理,
    subscription サブスクリプション 定期購入 契約プラン, plan プラン, balance 残高, account アカウント 口座, transaction 取引履歴 トランザクション, transfer 送金記録, receipt 領収書 レシート, expense 経費 支出, budget 予算, tax 税金 税,
    dispute 異議, vendor 仕入先 業者, employee 従業員 社員, candidate 候補者 応募者, job 求人 仕事, application 応募 申請, vacation 休暇 有給, leave 休み 欠勤, payroll 給与明細, salary 給料 給与, shift シフト 当番, team チーム, member
    メンバー, user ユーザー ユーザ 利用者, group グループ, role 役割 ロール, permission 権限, access アクセス権 アクセス, password パスワード, profile プロフィール, photo 写真, image 画像 イメージ, video 動画 ビデオ 映像, audio 音声
    オーディオ, song 曲 歌, playlist プレイリスト, album アルバム, artist アーティスト, recording 録音 録画, transcript 議事録 トランスクリプト, translation 訳文, language 言語, text テキスト 文章, summary サマリー 概要, report レポート 報告書 報告,
    chart グラフ チャート, dashboard ダッシュボード, statistics 統計, metric 指標 メトリクス, analysis 分析結果, spreadsheet スプレッドシート 表計算, sheet シート, row 行, cell セル, table テーブル 表, database データベース, record レコード,
    field フィールド, value 値, query クエリ, form フォーム, survey アンケート 調査票, response 回答, question 質問, template テンプレート ひな形, campaign キャンペーン 広告キャンペーン, audience オーディエンス, segment セグメント, subscriber
    購読者, newsletter メルマガ ニュースレター, post 投稿記事 ツイート, article 記事, story ストーリー, follower フォロワー, website サイト ウェブサイト ホームページ, webpage ウェブページ, domain ドメイン, link リンク URL, result 結果, news
    ニュース, weather 天気 天候, forecast 予報, temperature 気温 温度, map 地図, location 場所 位置, city 都市 市, country 国, route ルート 経路 道順, distance 距離, flight フライト 便 航空券, hotel ホテル, reservation 予約状況, restaurant
    レストラン, menu メニュー, review レビュー記事 口コミ, rating 評価点, stock 株価 株, currency 通貨, exchange_rate 為替 為替レート, number 番号 数字 数, sum 合計, percentage パーセント 割合, date 日付, time 時刻 時間, timezone
    タイムゾーン, duration 所要時間, day 日, week 週, month 月, year 年, today 今日 本日, tomorrow 明日, yesterday 昨日, timer タイマー, log ログ, error エラー, alert アラート 警告, incident インシデント 障害, status ステータス 状態 状況,
    server サーバー サーバ, backup バックアップ, space 容量, storage ストレージ, device デバイス 端末, sensor センサー, light 照明 電気 ライト, phone 電話 電話番号, call 通話, voicemail 留守電, sms ショートメッセージ, notification 通知, settings
    設定内容, version バージョン, history 履歴, name 名前 名称, title タイトル 件名, description 説明, category カテゴリ カテゴリー, priority 優先度, deadline 締め切り 期限 締切, owner 担当者 所有者, stage ステージ 段階 フェーズ, goal 目標,
    milestone マイルストーン, workspace ワークスペース, drive ドライブ, signature 署名欄, contract 契約書 契約, envelope 封筒, student 生徒 学生, course コース 授業 講座, class クラス, grade 成績, assignment 宿題, lesson レッスン, recipe
    レシピ, book 本 書籍, chapter 章, definition 定義, word 単語 言葉, game ゲーム 試合, patient 患者, property 物件 不動産, house 家, car 車, vehicle 車両, driver 運転手 ドライバー, delivery 配達 配送, last 最後の 最新の 最新 最近の 最近 先週の, next
    次の 来週の, unread 未読, old 古い, person 人, activity アクティビティ, request リクエスト 依頼, data データ, tool ツール, ad 広告, view ビュー, keyword キーワード, purchase 購入品, sale 売上 販売, color 色, command コマンド, screenshot
    スクリーンショット スクショ, browser ブラウザ, memory 記憶, content 内容, math 数学,
    money お金 現金, room 部屋 号室, kitchen キッチン 台所, rent 家賃 賃料, insurance 保険, doctor 医者 先生, dentist 歯医者 歯科, pharmacy 薬局,
    child 子ども 子供, wedding 結婚式, birthday 誕生日, friend 友達 友人, family 家族, school 学校, trash ゴミ箱 ゴミ, weekend 週末, gift プレゼント,
    apartment マンション アパート, fee 手数料, tenant 入居者 借主, minute 分間, disk ディスク, tag タグ, agent エージェント, monitor モニター, button
    ボタン, screen 画面, template テンプレ, elevator エレベーター`,
};
