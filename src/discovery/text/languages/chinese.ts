/** Chinese verbs and nouns of requests, simplified and, where they differ, traditional; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const chinese: LanguageData = {
  functions: `
    of 的 之, in 在 里 里面 中 上 內 裡, to 到 给 給 向 往, for 为 為 替, with 跟 和我 用, and 和 与 以及 并 并且 还有 與, or 或 或者, then 然后 接着 之后 再 然後, my 我的,
    our 我们的 咱们 我们, this 这个 这 这份 这条 这些 這個 這 这封 这张 这篇, that 那个 那 那些, all 所有 全部 一切 都, me 我, is 是 有, not 不 没 没有 不要 别, about
    关于 有关, what 什么 哪些 哪个 什麼, who 谁 誰, when 什么时候, how 怎么 如何, where 哪里 哪儿, please 请 麻烦 請 帮我 帮忙 帮 幫我 一下 吧 吗 呢 了 把 将 將 被 要 想 想要 需要
    能 可以 能不能 我想 我要 给我 一 一个 一份 一封 一条 一张 个 份 封 条 张 篇 次 個 也 就, how_many 多少 几个 有多少, from 从 從, by 由, only 只, more 更`,
  verbs: `
    create 创建 新建 建立 创立 生成 制作 建 做 開立 建个 創建 開 写一份, add 添加 加 加上 增加 加入 放进 加到 新增 插入, delete 删除 删掉 刪除 删 清掉, remove 移除 去掉 移走
    踢出 拿掉, update 更新 修改 编辑 改 改成 改为 調整 调整 修正 編輯, change 更改 变更 换成, rename 重命名 改名 改名为 更名, set 设置 设定 设为 設定 定为, send 发送 发 发给 寄
    发出 发一 发个 發送 發 传给, reply 回复 回覆 答复, forward 转发 轉發, show 显示 展示 看看 看 查看 给我看 看一下 顯示, get 获取 取得 得到 查 查询 拿 告诉我 獲取 查詢 调取 了解 知道, list
    列出 列 罗列 有哪些, search 搜索 搜寻 搜 查找 搜一下 搜尋, find 找到 找出 找 寻找 找一下, open 打开, read 读取 读 阅读 朗读, download 下载 下載, upload 上传 上傳, export 导出
    匯出, import 导入 匯入, move 移动 移到 挪到 移 转到 移動, copy 复制 拷贝 複製, duplicate 复制一份 副本, share 分享 共享, invite 邀请 邀請, assign 分配 指派 分给 交给 指定,
    close 关闭 關閉, complete 完成 做完 结束, mark 标记 标为 標記, cancel 取消, archive 归档 存档 歸檔, restore 恢复 还原 恢復, publish 发布 发表 發布, post 发帖 贴出, schedule
    安排 预定时间 排程 定在, reschedule 推迟 延期 改期 改到 推遲, start 启动 开始 開始 啟動, stop 停止 停掉 停, pause 暂停 暫停, resume 继续 恢复运行, run 运行 执行 跑 執行, enable 启用 打开功能
    开启 啟用, disable 禁用 停用 关掉 关闭功能, approve 批准 审批 通过, reject 拒绝 驳回, accept 接受, merge 合并 合併, lock 锁定, unlock 解锁, subscribe 订阅 訂閱, unsubscribe
    退订 取消订阅, follow 关注 关注一下, unfollow 取消关注, like 点赞 赞, pay 支付 付款 付 付给, charge 收费 扣款, refund 退款 退钱 退還, buy 买 购买 購買, order 下单 订购, book 预订 预约 订
    預訂, check 检查 核对 看有没有 檢查, verify 验证 校验 驗證, count 统计 数一下 计数, calculate 计算 算 算出 算一下 計算, convert 转换 换算 转成 轉換, translate 翻译 翻成 翻譯, summarize
    总结 概括 摘要一下 總結, compare 比较 对比, analyze 分析, write 写 撰写 寫, save 保存 存 储存 儲存, attach 附加 附上, block 屏蔽 拉黑, notify 通知 告诉 提示, remind 提醒, connect
    连接 接入 連接, disconnect 断开, sync 同步, track 跟踪 追踪, record 记录 登记 记下 记一下 記錄, call 打电话 呼叫 致电, ask 问 询问, sign 签署 签字 签, print 打印, play 播放 放, mute 静音,
    pin 置顶, sort 排序, filter 筛选 过滤, replace 替换, clear 清空 清除, leave 退出 离开, join 加入群, deploy 部署 上线, build 构建, test 测试, scan 扫描, extract 提取 抽取, scrape 抓取
    抓下来 爬取, transcribe 转写 转成文字, draw 画 绘制, resize 缩放 调整大小, compress 压缩, submit 提交, describe 描述, explain 解释, tag 打标签, comment 评论一下, review 审查 审阅, link
    关联 链接到, hide 隐藏, reset 重置, retry 重试, split 拆分, transfer 转账 转移 轉帳, suspend 暂停使用, revoke 撤销 吊销, grant 授予, crop 裁剪, predict 预测, solve 求解, browse
    浏览, visit 访问, evaluate 求值, multiply 乘以 相乘 乘, divide 除以, round 四舍五入,
    win 赢了 夺冠, lose 输了, sell 卖 卖掉, forget 忘记, fix 修好 修理, rent 出租, hire 录用, delete 丢掉 扔掉 勾掉, finish 弄完, reset 重来`,
  nouns: `
    email 邮件 电子邮件 電郵 郵件 邮箱, inbox 收件箱, message 消息 信息 訊息, channel 频道 頻道, conversation 对话 会话, chat 聊天, thread 话题串 讨论串, reply 回信, draft 草稿, attachment
    附件, label 标签 標籤, folder 文件夹 目录 資料夾, file 文件 檔案, document 文档 文檔, page 页面 页, note 笔记 便签 备忘 筆記, notebook 笔记本, task 任务 待办 待办事项 任務 事项, subtask 子任务, list
    列表 清单 名单, project 项目 專案, board 看板, card 卡片, column 列 栏, checklist 检查表 核对清单, comment 评论 留言 評論, reaction 表情回应, issue 问题 议题 問題, ticket 工单, bug 缺陷 漏洞,
    repository 仓库 代码库 倉庫, branch 分支, commit 提交记录, pull_request 拉取请求 合并请求, release 发行版 版本发布, code 代码 程式碼, workflow 工作流 流程, deployment 部署记录, environment 环境
    環境, variable 变量, secret 密钥, key 键 钥匙, event 事件 活动 活動, calendar 日历 日程 行事曆 日曆, meeting 会议 开会 會議, appointment 约会 预约单, reminder 提醒事项, invitation 邀请函, attendee
    参会者 与会者 参与者 参会人, availability 空闲时间 空档 有空, schedule 日程表 排班 时间表, contact 联系人 聯絡人, customer 客户 顾客 客戶, company 公司 企业, organization 组织 机构, lead 线索 潜在客户,
    deal 交易机会 商机, quote 报价 报价单, order 订单 訂單, cart 购物车, product 产品 商品 產品, item 条目 物品, price 价格 價格, discount 折扣, coupon 优惠券, inventory 库存 庫存, shipment 货运 运单
    发货, package 包裹 快递, address 地址, store 商店 店铺, invoice 发票 账单 發票 帳單, payment 付款记录 款项, refund 退款单, subscription 订阅服务 会员, plan 套餐 计划, balance 余额 餘額, account
    账户 账号 帐户 帳戶, transaction 交易, transfer 转账记录 汇款, receipt 收据, expense 支出 费用 开支 报销, budget 预算, tax 税, credit 信用额度, dispute 争议, vendor 供应商, employee 员工 職員, candidate
    候选人, job 职位 工作 岗位, application 申请, vacation 休假 年假 假期, leave 请假, payroll 工资单, salary 工资 薪水, shift 班次, team 团队 团隊, member 成员 成員, user 用户 使用者 用戶, group 群组 小组 群,
    role 角色, permission 权限, access 访问权限, password 密码 密碼, profile 个人资料 资料, photo 照片, image 图片 图像 圖片, video 视频 影片, audio 音频, song 歌曲 歌, playlist 播放列表 歌单, album 专辑,
    artist 歌手 艺人, recording 录音 录像, transcript 文字记录 逐字稿, translation 译文, language 语言 語言, text 文本 文字, summary 摘要 概要 总结报告, report 报告 报表 報告, chart 图表, dashboard 仪表盘,
    statistics 统计数据 数据统计, metric 指标, analysis 分析结果, spreadsheet 电子表格 表格, sheet 工作表, row 行, cell 单元格, table 表, database 数据库 資料庫, record 条记录, field 字段, value 值, query 查询语句,
    form 表单, survey 问卷 调查, response 答复内容, question 提问, template 模板, campaign 营销活动 广告系列 推广, audience 受众, segment 细分, subscriber 订阅者, newsletter 简报 通讯, post 帖子 貼文 推文,
    article 文章, story 故事, follower 粉丝 关注者, website 网站, webpage 网页, domain 域名, link 链接 连结, result 结果, news 新闻 新聞, weather 天气 天氣, forecast 预报 預報, temperature 气温 温度, map 地图,
    location 位置 地点, city 城市, country 国家, route 路线, distance 距离, flight 航班 机票, hotel 酒店 旅馆, reservation 预订单, ride 行程, restaurant 餐厅 餐馆, menu 菜单, review 评价 点评, rating 评分, stock
    股票 股价, currency 货币 币种, exchange_rate 汇率, number 数字 号码, sum 总和, percentage 百分比, date 日期, time 时间 時間, timezone 时区, duration 时长, day 天 日, week 周 星期, month 月, year 年, today
    今天, tomorrow 明天, yesterday 昨天, hour 小时, timer 计时器, log 日志, error 错误 錯誤, alert 警报 告警, incident 事故 故障, status 状态 狀態, server 服务器, backup 备份, space 空间, storage 存储空间, device
    设备, light 灯, phone 电话 手机 電話, call 通话, voicemail 语音信箱, sms 短信 簡訊, notification 通知消息, settings 配置 设置项, version 版本, history 历史 历史记录, change 改动, name 名称 名字, title 标题, description
    说明, category 类别 分类, priority 优先级, deadline 截止日期 期限, owner 负责人 所有者, stage 阶段, goal 目标, milestone 里程碑, workspace 工作区, drive 云盘 网盘, signature 签名, contract 合同, envelope 信封,
    student 学生, course 课程, class 班级, grade 成绩, assignment 作业, lesson 课, recipe 食谱 菜谱, book 书 书籍, chapter 章节, definition 定义, word 词 单词, game 游戏 比赛, patient 病人 患者, property 房产,
    house 房子, car 汽车 车, vehicle 车辆, driver 司机, delivery 配送 送货, new 新 新的, last 最近 最后 最新 上次, next 下一个 下次, unread 未读, old 旧的, person 人, activity 动态, request 请求, data 数据,
    tool 工具, ad 广告, view 视图, keyword 关键词 关键字, purchase 采购, sale 销售 销量, color 颜色, command 命令, screenshot 截图 屏幕截图, browser 浏览器, memory 记忆, math 数学, content 内容, link 网址, pipeline 流水线,
    money 现金, room 房间 号房, kitchen 厨房, rent 房租 租金, insurance 保险, doctor 医生 大夫, dentist 牙医, pharmacy 药店, child 孩子 小孩,
    wedding 婚礼, birthday 生日, friend 朋友, family 家人 家庭, school 学校, trash 回收站 垃圾桶, weekend 周末, gift 礼物, apartment 公寓, fee
    手续费, tenant 租客, minute 分钟, paper 论文, sound 声音, tag 标签页, screen 屏幕, elevator 电梯, podcast 播客, hire 招聘 入职, article 稿子`,
};
